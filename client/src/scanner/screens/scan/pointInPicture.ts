interface VideoBox {
  videoWidth: number
  videoHeight: number
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
}

/**
 * Where a tap on a picture that covers its box (object-fit: cover) falls in the camera's own frame, 0..1 from left and top;
 * null while there is no picture.
 */
export function pointInPicture(
  video: VideoBox,
  tap: { clientX: number; clientY: number },
): { x: number; y: number } | null {
  const { videoWidth, videoHeight } = video
  const box = video.getBoundingClientRect()
  if (videoWidth === 0 || videoHeight === 0 || box.width === 0 || box.height === 0) return null
  const scale = Math.max(box.width / videoWidth, box.height / videoHeight)
  const along = (tapAt: number, from: number, boxSize: number, size: number) =>
    Math.min(1, Math.max(0, 0.5 + (tapAt - from - boxSize / 2) / (size * scale)))
  return {
    x: along(tap.clientX, box.left, box.width, videoWidth),
    y: along(tap.clientY, box.top, box.height, videoHeight),
  }
}

/** The reverse: where on the screen a point of the camera's frame (in its pixels) is shown; null without a picture. */
export function pointOnScreen(video: VideoBox, at: { x: number; y: number }): { x: number; y: number } | null {
  const { videoWidth, videoHeight } = video
  const { left, top, width, height } = video.getBoundingClientRect()
  if (videoWidth === 0 || videoHeight === 0) return null
  const scale = Math.max(width / videoWidth, height / videoHeight)
  return {
    x: Math.round(left + width / 2 + (at.x - videoWidth / 2) * scale),
    y: Math.round(top + height / 2 + (at.y - videoHeight / 2) * scale),
  }
}
