"use strict";
// Words, bars and rules that belong together are marked together; whoever asks for a rule finds it open.
const same = (element) => document.querySelectorAll(`[data-rule="${element.dataset.rule}"]`);
const mark = (on) => (event) => {
  const element = event.target.closest("[data-rule]");
  if (element) same(element).forEach((each) => each.classList.toggle("on", on));
};
document.addEventListener("pointerover", mark(true));
document.addEventListener("pointerout", mark(false));
const open = () => {
  const rule = location.hash && document.getElementById(location.hash.slice(1));
  for (let place = rule && rule.querySelector("details"); place; place = place.parentElement) {
    if (place.tagName === "DETAILS") place.open = true;
  }
  if (rule) rule.scrollIntoView({ block: "center" });
};
addEventListener("hashchange", open);
addEventListener("DOMContentLoaded", open);
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const rules = button.closest("section").querySelectorAll(".rules details");
  const all = [...rules].every((each) => each.open);
  rules.forEach((each) => (each.open = !all));
});
