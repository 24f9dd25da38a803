/** Why a server accepts no changes, and what to do about it. */
export const READ_ONLY = {
  title: 'This server is read-only',
  replaced: 'Another server has taken over with restored data, so this one accepts no more changes.',
  replacedCure:
    'Stop this server. If it is the one that should run, let it take over again (npm run takeover -- --here) and start it.',
  unconfirmed: (url: string) => `${url} does not lead to this server, so it accepts no changes until it does.`,
  unconfirmedCure:
    'Point the name at this server. If the machine cannot reach its own name, set SKIP_ADDRESS_CHECK=1 and restart.',
} as const
