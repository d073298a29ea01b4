// The keyboard: a search of everything (Ctrl-K, /), rows (j, k, Enter, and the keys of a row's buttons),
// places (g and a letter) and the sheet that lists them (?). Without this file every link and button works.
"use strict";

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;
const palette = document.getElementById("palette");
const help = document.getElementById("help");

/* Search of everything */
if (palette) {
  const field = palette.querySelector("input"), list = palette.querySelector("#found");
  let waiting, latest = 0;

  const options = () => [...list.querySelectorAll("[role=option]")];
  const choose = (chosen) => {
    for (const each of options()) each.setAttribute("aria-selected", String(each === chosen));
    field.setAttribute("aria-activedescendant", chosen?.id || "");
    chosen?.scrollIntoView({ block: "nearest" });
  };
  const chosen = () => list.querySelector("[aria-selected=true]");

  const ask = async (q, more) => {
    const answer = await fetch("/console/find?" + new URLSearchParams({ q, ...more }), { credentials: "same-origin" });
    if (!answer.ok || answer.redirected) return [];
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return [...page.querySelector("#found").children].map((each) => document.adoptNode(each));
  };
  const search = async () => {
    const mine = ++latest, q = field.value.trim();
    try {
      const found = await ask(q, {});
      if (mine !== latest) return;
      list.replaceChildren(...found);
      choose(options()[0]);
      if (q.length < 3) return;
      const evidence = await ask(q, { evidence: "yes" });
      if (mine !== latest || !palette.open) return;
      const kept = chosen();
      list.append(...evidence);
      choose(kept || options()[0]);
    } catch { /* the page of the search itself still works */ }
  };
  const open = () => {
    if (palette.open) return;
    field.value = "";
    palette.showModal();
    search();
  };

  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  field.addEventListener("keydown", (event) => {
    const all = options(), at = all.indexOf(chosen());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (chosen()) location.assign(chosen().href);
    }
  });
  list.addEventListener("mousemove", (event) => {
    const over = event.target.closest("[role=option]");
    if (over && over !== chosen()) choose(over);
  });
  for (const link of document.querySelectorAll("[data-palette]")) {
    link.addEventListener("click", (event) => { event.preventDefault(); document.getElementById("navigation").hidePopover?.(); open(); });
  }
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); open(); }
  });
  palette.openFor = open;
}
for (const sheet of [palette, help]) {
  sheet?.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
}

/* Rows. What was acted on leaves the list, so the same place has the next one when the page is back. */
const place = "row of " + location.pathname;
const rows = () => [...document.querySelectorAll("[data-row], .rows tbody tr")].filter((row) => row.checkVisibility());
const current = () => document.querySelector("[data-current]");
function stand(at) {
  const all = rows();
  if (!all.length) return;
  const row = all[Math.max(0, Math.min(at, all.length - 1))];
  current()?.removeAttribute("data-current");
  row.setAttribute("data-current", "");
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}
const kept = sessionStorage.getItem(place);
if (kept !== null) { sessionStorage.removeItem(place); stand(Number(kept)); }

/* Single keys */
let went = -Infinity;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.timeStamp - went < 1500) {
    went = -Infinity;
    const link = document.querySelector(`.nav-links [data-go="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); location.assign(link.href); }
    return;
  }
  const all = rows(), at = all.indexOf(current());
  if (event.key === "/" && palette) palette.openFor();
  else if (event.key === "?" && help) help.showModal();
  else if (event.key === "g") went = event.timeStamp;
  else if (event.key === "j") stand(at + 1);
  else if (event.key === "k") stand(at < 0 ? 0 : at - 1);
  else if (event.key === "Enter" && at >= 0 && event.target === all[at]) (all[at].querySelector("[data-open]") || all[at].querySelector("a"))?.click();
  else {
    const button = (at >= 0 ? all[at] : document).querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    if (at >= 0) sessionStorage.setItem(place, String(at));
    button.click();
  }
  event.preventDefault();
});
