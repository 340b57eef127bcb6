/* R calls this when it loads the library; the functions are registered in Rust. */
void R_init_posterity_extendr(void *library);

void R_init_posterity(void *library) {
    R_init_posterity_extendr(library);
}
