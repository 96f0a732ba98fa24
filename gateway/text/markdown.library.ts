export { default, type Token } from 'markdown-it';
