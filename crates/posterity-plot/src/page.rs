//! A page: a title, a picture and its caption.

use plotters::prelude::{DrawingBackend, WHITE};
use plotters::style::text_anchor::HPos;

use crate::canvas::{Canvas, Drawn, WIDTH};
use crate::name;
use crate::picture::Picture;

/// The height of the text of a caption, and of a line of it.
const CAPTION: f64 = 9.5;
const CAPTION_LINE: f64 = 14.0;

/// The height of the page, with the caption.
pub(crate) fn height(picture: &impl Picture) -> f64 {
    let lines = picture.caption().iter().map(|line| name::wrapped(line).len()).sum::<usize>();
    let foot = if lines == 0 { 0.0 } else { CAPTION_LINE * lines as f64 + 4.0 };
    (picture.height() + foot).ceil()
}

/// Draws the whole page.
pub(crate) fn draw<D: DrawingBackend>(canvas: &Canvas<'_, D>, picture: &impl Picture) -> Drawn<D> {
    canvas.area.fill(&WHITE)?;
    let (page, foot) = canvas.area.split_vertically(canvas.px(picture.height()));
    let page = canvas.on(&page);
    draw_title(&page, &picture.title(), &picture.subtitle())?;
    picture.draw(&page)?;
    draw_caption(&canvas.on(&foot), &picture.caption())
}

fn draw_title<D: DrawingBackend>(canvas: &Canvas<'_, D>, title: &str, subtitle: &str) -> Drawn<D> {
    canvas.write(title, (canvas.px(WIDTH / 2.0), canvas.px(16.0)), 14.0, HPos::Center)?;
    canvas.write(subtitle, (canvas.px(WIDTH / 2.0), canvas.px(35.0)), 11.0, HPos::Center)
}

fn draw_caption<D: DrawingBackend>(canvas: &Canvas<'_, D>, caption: &[String]) -> Drawn<D> {
    for (row, line) in caption.iter().flat_map(|line| name::wrapped(line)).enumerate() {
        let line = canvas.name(&line, row, CAPTION, WIDTH - 24.0);
        let place = (canvas.px(12.0), canvas.px(CAPTION_LINE * (row as f64 + 0.5)));
        canvas.write(&line, place, CAPTION, HPos::Left)?;
    }
    Ok(())
}
