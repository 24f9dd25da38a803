/** Whether this machine is of the kind that servers are, so that its own packages and Node run there. */
export const isServersKind = (): boolean => process.platform === 'linux' && process.arch === 'x64'

/** Where everybody else gets the bundle. */
export const FROM_RELEASE =
  'Elsewhere, download garba.tar.gz from the releases of this repository; its workflow "release" makes one for each tag, and for any commit when it is started by hand.'
