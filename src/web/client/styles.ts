// The card's look, in the page's own colour tokens, so that it follows the theme. Every class name
// begins with `dsh-cursor-`, since a page has one name space for all plugins.

export const STYLES = `
.dsh-cursor-card { list-style: none; border: 1px solid var(--dsw-alias-border-l2); border-radius: 12px; background: var(--dsw-alias-bg-layer-3); color: var(--dsw-alias-label-primary); font-size: 13px; line-height: 1.5; }
.dsh-cursor-card[data-open] { background: var(--dsw-alias-bg-layer-2); border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card button, .dsh-cursor-card input { font: inherit; color: inherit; }
.dsh-cursor-card :focus-visible { outline: 2px solid var(--dsw-alias-brand-primary); outline-offset: 1px; }
.dsh-cursor-head { display: flex; align-items: center; gap: 12px; width: 100%; padding: 14px 16px; border: 0; background: none; text-align: left; cursor: pointer; }
.dsh-cursor-name { display: block; font-size: 15px; font-weight: 600; }
.dsh-cursor-about { flex: 1; min-width: 0; }
.dsh-cursor-muted { color: var(--dsw-alias-label-tertiary); font-size: 12px; margin: 0; overflow-wrap: anywhere; }
.dsh-cursor-about .dsh-cursor-muted { font-size: 13px; }
.dsh-cursor-badge { border-radius: 999px; padding: 1px 8px; font-size: 11px; white-space: nowrap; background: var(--dsw-alias-bg-module-platform); color: var(--dsw-alias-label-secondary); }
.dsh-cursor-chevron { flex: none; width: 8px; height: 8px; border: solid var(--dsw-alias-label-tertiary); border-width: 0 1.5px 1.5px 0; transform: translateY(-2px) rotate(45deg); }
.dsh-cursor-card[data-open] .dsh-cursor-chevron { transform: translateY(2px) rotate(225deg); }
.dsh-cursor-body { margin: 0 16px; padding-bottom: 8px; }
.dsh-cursor-part { border: 0; border-top: 1px solid var(--dsw-alias-border-l2); margin: 0; padding: 12px 0; display: flex; flex-direction: column; gap: 6px; min-width: 0; }
.dsh-cursor-title { float: left; display: flex; align-items: center; gap: 8px; font-weight: 500; padding: 0; width: 100%; }
.dsh-cursor-title > :first-child { flex: 1; }
.dsh-cursor-link { border: 0; background: none; padding: 0; font-size: 12px; color: var(--dsw-alias-label-secondary) !important; cursor: pointer; }
.dsh-cursor-row { display: grid; grid-template-columns: 8px 64px 1fr; gap: 8px; align-items: baseline; }
.dsh-cursor-dot { width: 8px; height: 8px; border-radius: 50%; background: var(--dsw-alias-label-dimmed); }
.dsh-cursor-dot[data-state=ok] { background: var(--dsw-alias-state-success-primary, #22c55e); }
.dsh-cursor-dot[data-state=warning] { background: var(--dsw-alias-state-warning-primary, #f59e0b); }
.dsh-cursor-dot[data-state=failed] { background: var(--dsw-alias-state-error-primary, #ef4444); }
.dsh-cursor-detail { min-width: 0; overflow-wrap: anywhere; }
.dsh-cursor-button { border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; padding: 4px 12px; background: none; cursor: pointer; color: var(--dsw-alias-label-secondary) !important; }
.dsh-cursor-button[data-main] { background: var(--dsw-alias-label-primary); color: var(--dsw-alias-bg-layer-3) !important; border-color: transparent; }
.dsh-cursor-button:disabled { opacity: .4; cursor: default; }
.dsh-cursor-buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.dsh-cursor-input { height: 34px; box-sizing: border-box; min-width: 0; padding: 0 12px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-list { margin: 0; padding: 4px; max-height: 168px; overflow-y: auto; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-option { display: flex; align-items: baseline; gap: 8px; padding: 3px 8px; border-radius: 6px; cursor: pointer; }
.dsh-cursor-option:hover, .dsh-cursor-option:has(:checked) { background: var(--dsw-alias-bg-module-platform); }
.dsh-cursor-option > input { flex: none; margin: 0; align-self: center; }
.dsh-cursor-option > code { font-family: var(--ds-font-family-code, monospace); font-size: 12px; flex: none; }
.dsh-cursor-option[data-off] { opacity: .5; cursor: default; }
.dsh-cursor-limits { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; }
.dsh-cursor-limits > label { display: flex; flex-direction: column; gap: 4px; min-width: 0; }
.dsh-cursor-foot { display: flex; align-items: center; justify-content: flex-end; gap: 8px; padding: 12px 0 4px; border-top: 1px solid var(--dsw-alias-border-l2); }
.dsh-cursor-note { flex: 1; min-width: 0; margin: 0; font-size: 12px; color: var(--dsw-alias-label-secondary); overflow-wrap: anywhere; }
.dsh-cursor-note[data-failed] { color: var(--dsw-alias-state-error-primary); }
`
