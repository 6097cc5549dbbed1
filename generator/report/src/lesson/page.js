const all = [...document.querySelectorAll("details")];
const fold = (isOpen) => all.forEach((details) => { details.open = isOpen; });
document.getElementById("unfold").addEventListener("click", () => fold(true));
document.getElementById("fold").addEventListener("click", () => fold(false));

// Opens everything around the target of a link.
const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target) target.scrollIntoView({ block: "center" });
};
addEventListener("hashchange", reveal);
reveal();

// Paper cannot be unfolded.
let before = [];
addEventListener("beforeprint", () => { before = all.map((details) => details.open); fold(true); });
addEventListener("afterprint", () => all.forEach((details, at) => { details.open = before[at]; }));
