/** The key in sessionStorage for the state of the next page. */
const KEY = 'state of the next page';

/**
 * Keeps the state of another page, which opens next.
 *
 * @param {string} path
 * @param {object} state
 */
export function keepFor(path, state) {
  store({ path, scroll: 0, state });
}

/** @param {{ path: string, scroll: number, state: unknown }} kept */
function store(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The storage is unavailable or full: the page starts empty.
  }
}

/**
 * Keeps the state of a page when the user changes the language, and when the user goes back.
 *
 * @template State
 * @param {() => State} save
 * @param {(state: State) => void} restore Called when the page opens with a kept state.
 */
export function keepAcrossLanguages(save, restore) {
  for (const link of document.querySelectorAll('.languages a')) {
    link.addEventListener('click', () => {
      const kept = { path: location.pathname, scroll: scrollY, state: save() };
      store(kept);
      try {
        history.replaceState(kept, '');
      } catch {
        // Firefox limits the size of a state: going back starts empty.
      }
    });
  }
  /** @type {PerformanceEntry & { type?: NavigationTimingType } | undefined} */
  const navigation = performance.getEntriesByType('navigation')[0];
  const kept = navigation?.type === 'back_forward' ? history.state : takeKept();
  if (kept?.path !== location.pathname) return;
  history.replaceState(kept, '');
  restore(kept.state);
  scrollTo(0, kept.scroll);
}

function takeKept() {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? undefined : JSON.parse(kept);
  } catch {
    return undefined;
  }
}

/**
 * The values of all fields of the page, by id.
 *
 * @returns {Record<string, string>}
 */
export function fieldValues() {
  return Object.fromEntries(
    fields().map((field) => [field.id, isChoice(field) ? String(field.checked) : field.value]),
  );
}

/** @param {Readonly<Record<string, string>>} values */
export function setFieldValues(values) {
  for (const field of fields()) {
    const value = values[field.id];
    if (value === undefined) continue;
    if (isChoice(field)) field.checked = value === 'true';
    else field.value = value;
  }
}

/**
 * @param {Element} field
 * @returns {field is HTMLInputElement}
 */
function isChoice(field) {
  return field instanceof HTMLInputElement && field.type === 'checkbox';
}

function fields() {
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
  const found = document.querySelectorAll(
    'main :is(input:not([type="file"]), select, textarea)[id]',
  );
  return [...found];
}
