/** The bundle has no npm: there `npm run keys -- list` is `garba keys list`. Its launcher sets GARBA_BUNDLE. */
export const asTyped = (text: string): string =>
  process.env.GARBA_BUNDLE === '1' ? text.replace(/npm run ([a-z]+)(?: --(?= ))?/g, 'garba $1') : text
