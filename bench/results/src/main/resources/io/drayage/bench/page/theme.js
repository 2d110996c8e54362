// Runs before the page is drawn: sets the theme that was chosen on this machine, else the system's.
(() => {
  'use strict';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const key = 'drayage-theme';
  const kept = () => {
    try {
      return localStorage.getItem(key);
    } catch (e) {
      return null; // this browser stores nothing for files
    }
  };
  const apply = () => {
    root.dataset.theme = kept() || (system.matches ? 'dark' : 'light');
    root.dispatchEvent(new Event('drayage-theme'));
  };
  system.addEventListener('change', apply);
  root.addEventListener('drayage-toggle', () => {
    const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(key, next);
    } catch (e) {
      // the choice lasts until the page is closed
    }
    root.dataset.theme = next;
    root.dispatchEvent(new Event('drayage-theme'));
  });
  addEventListener('error', event => {
    root.dataset.error = String(event.message);
  });
  apply();
})();
