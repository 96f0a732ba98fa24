export { default as translations } from './translations.json';
