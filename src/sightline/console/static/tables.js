// Tables whose rows can be selected: one box for all rows of the page, and how many are selected.
// Without this file rows are ticked one by one.
"use strict";

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.selectable");
  if (!form) return;
  const boxes = [...form.querySelectorAll("[name=id]")];
  if (event.target.matches("[data-all]")) boxes.forEach((box) => { box.checked = event.target.checked; });
  const ticked = boxes.filter((box) => box.checked).length;
  const whole = form.querySelector("[name=scope]");
  if (whole && !ticked) whole.checked = false;
  const all = form.querySelector("[data-all]");
  all.checked = ticked > 0 && ticked === boxes.length;
  all.indeterminate = ticked > 0 && ticked < boxes.length;
  form.querySelector("[data-count]").textContent = `${ticked} selected`;
});
