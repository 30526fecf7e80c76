/** The Chinese texts. They are large: import them only where they are used, dynamically. */
export { default as ZH } from '../../locales/zh.json' with { type: 'json' };
