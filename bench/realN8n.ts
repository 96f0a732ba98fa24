/** These two need all of n8n, which is no part of what is installed for development. */
export const NOT_MEASURED = 'not measured: no real n8n installed; `npm start` installs it';

export const IN_REAL_N8N = ['Telegram', 'chain'] as const;
