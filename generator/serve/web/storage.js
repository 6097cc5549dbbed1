// Objects that the browser keeps for this page, by name.

/** The object of a name; empty if none is kept. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps an object. Returns false if the browser stores nothing for this page. */
export function keep(name, object) {
  try {
    localStorage.setItem(name, JSON.stringify(object));
    return true;
  } catch {
    return false;
  }
}
