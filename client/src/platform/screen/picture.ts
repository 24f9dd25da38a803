const SIDE = 1080
const MIDDLE = SIDE / 2
const MARGIN = 40
const FIRST_LINE = 44
const LINE = 60

interface Drawn {
  svg: SVGSVGElement
  title: string
  lines: readonly string[]
  fileName: string
}

/** Draws a code as a picture with captions, because a gallery may hold several. Throws if the browser cannot. */
export async function drawCode({ svg, title, lines, fileName }: Drawn): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE + (lines.length + 2) * LINE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas to draw on')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  // A module is a whole number of pixels, so there is no grey between black and white.
  context.imageSmoothingEnabled = false
  context.drawImage(await loadSvgImage(svg), 0, 0, SIDE, SIDE)
  await document.fonts.ready
  context.fillStyle = '#221733'
  context.textAlign = 'center'
  context.font = '600 52px "Mukta Vaani", "Mukta", sans-serif'
  context.fillText(title, MIDDLE, SIDE + FIRST_LINE, SIDE - 2 * MARGIN)
  context.font = '400 40px "Mukta Vaani", "Mukta", sans-serif'
  for (const [index, line] of lines.entries())
    context.fillText(line, MIDDLE, SIDE + FIRST_LINE + (index + 1) * LINE, SIDE - 2 * MARGIN)
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!picture) throw new Error('The picture could not be made')
  return new File([picture], fileName, { type: 'image/png' })
}

async function loadSvgImage(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(SIDE))
  copy.setAttribute('height', String(SIDE))
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  return image
}
