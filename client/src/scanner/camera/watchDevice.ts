export interface DeviceWatch {
  onShown: () => void
  onHidden: () => void
  onDevices: () => Promise<void>
  onPermission: (state: PermissionState) => void
}

/** Reports changes of the camera permission, if the browser can (Firefox and older Safari cannot). */
async function watchPermission(report: (state: PermissionState) => void, signal: AbortSignal) {
  try {
    const status = await navigator.permissions.query({ name: 'camera' as PermissionName })
    if (!signal.aborted) status.addEventListener('change', () => report(status.state), { signal })
  } catch (error) {
    console.info('This browser does not report camera permissions', error)
  }
}

/**
 * Listens for everything after which a camera may be dead or alive again (DECISIONS 4: pageshow, focus): phones end or
 * mute tracks behind a locked screen without always saying so. Returns how to stop listening.
 */
export function watchDevice(media: MediaDevices | undefined, watch: DeviceWatch): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const whenVisible = () => (document.visibilityState === 'visible' ? watch.onShown() : watch.onHidden())
  document.addEventListener('visibilitychange', whenVisible, { signal })
  window.addEventListener('pageshow', whenVisible, { signal })
  window.addEventListener('focus', whenVisible, { signal })
  window.addEventListener('pagehide', watch.onHidden, { signal })
  media?.addEventListener('devicechange', () => void watch.onDevices().catch(console.warn), { signal })
  void watchPermission(watch.onPermission, signal)
  return () => ending.abort()
}
