/** Always succeeds: the session is the identity provider's token, and nothing of it is kept here (DECISIONS 2). */
export const logout = (): Record<string, never> => ({})
