// Everything works without this file. It replaces parts of a page with the same parts of a newer one:
// lists that follow what is typed (data-live), progress that follows the work (data-poll), and what takes long
// to find, from the address that a link in it leads to (data-later). A form that
// saves what is typed there (data-saves) sends it as it stands. Forms whose answer takes a while say so
// (data-wait) or show it while it is made (data-stream), and marks of citations open what they lead to.
"use strict";

// Times are shown in the browser's zone until another one is chosen.
if (!/(^|; )sightline_zone=/.test(document.cookie)) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  document.cookie = `sightline_zone=${zone}; path=/console; max-age=31536000; samesite=lax`;
}

async function load(address, ids, mayReplace) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!mayReplace()) return null;
  for (const id of ids) {
    const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
    if (!old || !fresh) continue;
    const held = old.contains(document.activeElement) ? document.activeElement : null;
    if (held?.matches("input[inputmode], input:not([type])")) continue; // a person is typing there
    for (const menu of old.querySelectorAll("details[id][open]")) {
      const same = page.getElementById(menu.id);
      if (same) same.open = true;
    }
    const places = [...old.querySelectorAll(".options")].map((list) => list.scrollTop);
    old.replaceWith(document.adoptNode(fresh));
    fresh.querySelectorAll(".options").forEach((list, n) => { list.scrollTop = places[n]; });
    if (fresh.dataset.later) complete(fresh);
    if (!held?.name) continue;
    const named = [...fresh.querySelectorAll(`[name="${held.name}"]`)];
    (named.find((each) => each.value === held.value) ?? named[0])?.focus();
  }
  return page;
}

const queryOf = (form) => new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));

for (const form of document.querySelectorAll("form[data-live]")) {
  const ids = form.dataset.live.split(" ");
  let waiting, latest = 0;
  const refresh = async () => {
    const mine = ++latest;
    const address = (form.getAttribute("action") || location.pathname) + "?" + queryOf(form);
    try {
      if (await load(address, ids, () => mine === latest)) history.replaceState(null, "", address);
    } catch { /* the form's own button still works */ }
  };
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, event.target.matches("select, [type=checkbox]") ? 0 : 250);
  });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-saves]")) return;
  // By the attribute: a form with a field of that name answers the field.
  const address = new URL(event.target.getAttribute("action"), location.href);
  address.search = String(queryOf(document.querySelector("form[data-live]"))) || "sort=company_name";
  event.target.setAttribute("action", address);
});

function follow(part) {
  setTimeout(async () => {
    try { await load(location.href, [part.id], () => true); } catch { /* tried again below */ }
    const now = document.getElementById(part.id);
    if (now && now.dataset.poll) follow(now);
  }, Number(part.dataset.poll) * 1000);
}
document.querySelectorAll("[data-poll]").forEach(follow);

async function complete(part) {
  const isThere = () => document.getElementById(part.id) === part; // and no newer one
  try { await load(part.dataset.later, [part.id], isThere); } catch { /* its link still works */ }
}
document.querySelectorAll("[data-later]").forEach(complete);

for (const form of document.querySelectorAll("form[data-wait]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
    const word = document.createElement("p");
    word.className = "waiting muted";
    word.setAttribute("role", "status");
    word.textContent = form.dataset.wait;
    form.after(word);
  });
}
// A file that was chosen is looked at at once.
for (const chosen of document.querySelectorAll("input[type=file][data-sends]")) {
  chosen.addEventListener("change", () => chosen.files.length && chosen.form.requestSubmit());
}
// A page that the browser kept and shows again can be sent again.
window.addEventListener("pageshow", () => {
  document.querySelectorAll(".waiting").forEach((word) => word.remove());
  document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
});

// A question's answer appears sentence by sentence; at the end the page that has it whole replaces it.
async function ask(form, button) {
  const fields = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(form.action || location.href, {
    method: "POST", body: fields, headers: { accept: "text/event-stream" }, credentials: "same-origin",
  });
  if (!answer.ok || !answer.headers.get("content-type").startsWith("text/event-stream")) return false;
  const talk = document.querySelector("[data-talk]");
  const [asked, panel, text, state] = ["li", "li", "p", "p"].map((name) => document.createElement(name));
  asked.className = "asked";
  asked.textContent = fields.get("question");
  panel.className = "panel";
  text.className = "big";
  text.setAttribute("aria-live", "polite");
  state.className = "waiting muted small";
  panel.append(text, state);
  talk.append(asked, panel);
  panel.scrollIntoView({ block: "nearest" });
  const heard = {
    status: (said) => { state.textContent = [said.step, said.what].filter(Boolean).join(": ") + "…"; },
    token: (said) => { text.append(text.textContent ? " " : "", said.text); },
    reset: () => { text.textContent = ""; },
    error: (said) => { state.className = "error"; state.textContent = said.error.message ?? said.message; },
    done: async (said) => {
      document.activeElement.blur(); // `load` leaves a field alone in which a person is typing
      const whole = form.dataset.stream + "conversation=" + (said.conversation_id ?? said.session_id);
      await load(whole, ["conversation"], () => true);
      history.replaceState(null, "", whole);
      document.getElementById("latest")?.scrollIntoView({ block: "start" });
      document.querySelector("form.ask input[name=question]")?.focus({ preventScroll: true });
    },
  };
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (held + part.value).split("\n\n");
    held = events.pop();
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      if (name) await heard[name]?.(JSON.parse(data));
    }
  }
  return true;
}
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-stream]")) return;
  event.preventDefault();
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  let isAnswered = true;
  try { isAnswered = await ask(form, event.submitter); } catch { location.reload(); return; }
  delete form.dataset.sent;
  if (isAnswered) return;
  // Refused: the page that says why comes as the plain form would bring it.
  if (event.submitter?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: event.submitter.name, value: event.submitter.value }));
  form.submit();
});

// On a phone the bars of links scroll sideways: the present one should be in view.
for (const link of document.querySelectorAll(".main-nav [aria-current], .tabs [aria-current]")) {
  const bar = link.parentElement;
  bar.scrollLeft = link.offsetLeft - bar.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
}

document.addEventListener("click", (event) => {
  const mark = event.target.closest?.("a.mark");
  const cited = mark && document.getElementById(mark.hash.slice(1));
  if (cited) cited.open = true;
  for (const menu of document.querySelectorAll("details.who[open], details.pop[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.who[open], details.pop[open]");
  if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const word = button.querySelector("span"), before = word.textContent;
    word.textContent = "Copied";
    setTimeout(() => { word.textContent = before; }, 1500);
  });
}
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
