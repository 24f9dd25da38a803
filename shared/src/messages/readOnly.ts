/** Why a server takes no changes (DECISIONS 9), and what to do about it. */
export const READ_ONLY = {
  title: 'This server takes no changes',
  replaced: 'Another server has taken over with restored data, so this one takes no changes.',
  replacedCure: 'Stop this server. If it is the right one after all, let it take over with a backup: npm run takeover.',
  unconfirmed: (url: string) => `This server does not find itself at ${url}, so it takes no changes until it does.`,
  unconfirmedCure:
    'Point the name at this server. If the machine cannot reach its own name, set SKIP_ADDRESS_CHECK=1 and restart.',
} as const
