// What moves on the pages. Everything works without it too, with a button instead of the slider.
"use strict";
(() => {
  // Copying, and printing.
  const prepare = (within) => {
    for (const button of within.querySelectorAll("[data-copy]")) {
      button.hidden = false;
    }
  };
  prepare(document);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy).textContent;
    const shown = button.firstChild;
    try {
      await navigator.clipboard.writeText(text);
      shown.nodeValue = "Copied";
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      shown.nodeValue = "Selected";
    }
    setTimeout(() => { shown.nodeValue = "Copy"; }, 1500);
  });
  const print = document.getElementById("print");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }

  // A page that waits asks how far the work is, and is loaded anew once there is nothing to say.
  const waiting = document.querySelector("[data-progress]");
  if (waiting) {
    const ask = async () => {
      try {
        const answer = await fetch(waiting.dataset.progress);
        const text = answer.ok ? await answer.text() : "";
        if (answer.ok && text === "") return location.reload();
        if (text) waiting.innerHTML = text;
      } catch {
        // The server is gone, or busy. It is asked again.
      }
      setTimeout(ask, 400);
    };
    setTimeout(ask, 200);
  }

  // What was typed into a form, as an address holds it.
  const typed = (form) => {
    const fields = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...fields]) {
      if (value.trim() === "" || name === "token") fields.delete(name);
    }
    return fields.toString();
  };

  // What is typed is kept in the address of the page, so that it is there on the way back. A field that others depend
  // on asks for the page anew, and takes their parts from it. The part with the cursor stays.
  const LONGEST = 20000;
  for (const form of document.querySelectorAll("form[data-keep]")) {
    const take = (page) => {
      for (const part of page.querySelectorAll("[data-part]")) {
        const old = form.querySelector("[data-part=" + part.dataset.part + "]");
        if (old && old !== part && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(part));
      }
    };
    const renew = async () => {
      const asked = typed(form);
      form.dataset.renewing = asked;
      try {
        const answer = await fetch(form.dataset.keep + "?" + asked);
        const text = await answer.text();
        // What was typed meanwhile is not lost: the page is asked for again.
        if (typed(form) !== asked) return renew();
        if (answer.ok) take(new DOMParser().parseFromString(text, "text/html"));
      } catch {
        // The server is gone, or busy. The fields stay as they are.
      }
      delete form.dataset.renewing;
    };
    form.addEventListener("change", (event) => {
      const address = form.dataset.keep + "?" + typed(form);
      if (address.length < LONGEST) history.replaceState(null, "", address);
      // One request at a time: it asks again if something was typed meanwhile.
      if (event.target.matches("[data-renew]") && form.dataset.renewing === undefined) renew();
    });
  }

  // The plan.
  const form = document.getElementById("plan-form");
  if (!form || waiting) return;
  const slider = document.getElementById("slider");
  const epsilon = document.getElementById("e");
  const width = document.getElementById("w");
  const now = document.getElementById("now");
  const curves = document.getElementById("curves");
  const table = document.getElementById("table");
  const STEPS = 30;
  slider.hidden = false;
  document.getElementById("ends").hidden = false;

  // Two digits of 10^(place/30 - 2), which is how the server places the slider.
  const budget = (place) => String(Number((10 ** (place / STEPS - 2)).toPrecision(2)));
  const place = (value) => Math.round((Math.log10(value) + 2) * STEPS);

  const query = () => typed(form);

  // The newest question is asked; answers to older ones are dropped.
  const loader = (section, address) => {
    let running = null;
    return async () => {
      if (running) running.abort();
      const mine = new AbortController();
      running = mine;
      section.classList.add("stale");
      const asked = query();
      try {
        const answer = await fetch(address + "?" + asked, { signal: mine.signal });
        const text = await answer.text();
        if (answer.ok) {
          section.innerHTML = text;
          prepare(section);
        }
        section.classList.remove("stale");
        section.dataset.loaded = asked;
      } catch (error) {
        if (error.name !== "AbortError") section.classList.remove("stale");
      }
    };
  };
  // Addresses are relative: all pages are below a path that only the server knows.
  const loadNow = loader(now, "plan/now");
  const loadCurves = loader(curves, "plan/curves");
  const loadTable = loader(table, "plan/table");
  // One forecast at a time: it may take seconds, and the server finishes what it began.
  let forecasting = false;
  const forecast = async () => {
    if (forecasting) return;
    forecasting = true;
    const asked = query();
    await loadTable();
    forecasting = false;
    if (query() !== asked) forecast();
  };

  let later = 0;
  const update = (wait) => {
    history.replaceState(null, "", "plan?" + query());
    loadNow();
    clearTimeout(later);
    later = setTimeout(() => {
      loadCurves();
      forecast();
    }, wait);
  };

  slider.addEventListener("input", () => {
    epsilon.value = budget(Number(slider.value));
    slider.setAttribute("aria-valuetext", epsilon.value);
    width.value = "";
    update(120);
  });
  let typing = 0;
  form.addEventListener("input", (event) => {
    if (event.target === slider) return;
    if (event.target === epsilon) {
      width.value = "";
      if (Number(epsilon.value) > 0) slider.value = place(Number(epsilon.value));
    }
    clearTimeout(typing);
    // An error to bear changes epsilon, so the whole page is asked for when the field is left.
    if (width.value.trim() !== "" || event.target === width) return;
    typing = setTimeout(() => update(120), 250);
  });
  form.addEventListener("change", (event) => {
    if (event.target !== slider && (width.value.trim() !== "" || event.target === width)) form.requestSubmit();
  });
  if (curves.querySelector(".waiting")) loadCurves();
  if (table.querySelector(".waiting")) forecast();
})();
