// Ends this process when its parent is gone, even by SIGKILL, so that nothing keeps the port in use.
const CHECK_MS = 500
const parent = process.ppid

const watching = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watching)
  process.kill(process.pid, 'SIGTERM')
}, CHECK_MS)
watching.unref()
