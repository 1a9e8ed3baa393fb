"use strict";
const text = document.getElementById("text"), boxes = [...document.querySelectorAll("input.pick")], rows = [...document.querySelectorAll(".row")];
function show() {
  const wanted = text.value.toLowerCase(), on = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
  let n = 0;
  for (const row of rows) {
    const fits = on.has(row.dataset.status) && row.textContent.toLowerCase().includes(wanted);
    row.hidden = !fits;
    if (fits) n++;
  }
  document.getElementById("shown").textContent = n + " of " + rows.length;
}
text.addEventListener("input", show);
boxes.forEach((b) => b.addEventListener("change", show));
show();
