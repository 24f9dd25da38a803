/** Whether this machine has the platform of servers, so that its packages and its Node run on one. */
export const isServersKind = (): boolean => process.platform === 'linux' && process.arch === 'x64'

/** Other machines get the bundle from a release. */
export const FROM_RELEASE =
  'Elsewhere, download garba.tar.gz from the releases of this repository; its workflow "release" makes one for each tag, and for any commit when it is started by hand.'
