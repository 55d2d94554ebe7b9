/** Drawings that say nothing which is not written beside them. */

export function Bird() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path
        fill="currentColor"
        d="M3 19.5c5.6 2.2 9-.6 11.2-4.7C16.4 10.7 20 8 24.6 9.2c.9.2 1.6.7 2.2 1.3l3.2.9-2.9 1.7c0 8.2-5.9 13.4-13 13.4-5.2 0-9.1-2.5-11.1-7z"
      />
      <circle cx="24.2" cy="12" r="1" fill="var(--paper)" />
    </svg>
  );
}

export function Lock() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="2.5" y="7" width="11" height="7.5" rx="1.6" fill="currentColor" />
      <path d="M5 7V4.800a3 3 0 0 1 6 0V7" fill="none" stroke="currentColor" stroke-width="1.6" />
    </svg>
  );
}
