const LONGEST_SIDE = 1_600
const WEBP_QUALITY = 0.85

/**
 * A picture file as a data URL: at most 1600 px WebP, made on the device. A GIF within that size stays as it is, for it
 * may move. `onProgress` hears 0 to 100. Throws when the file is not a picture the browser can draw.
 */
export async function scaleImage(file: Blob, onProgress: (percent: number) => void): Promise<string> {
  onProgress(10)
  const picture = await createImageBitmap(file)
  onProgress(40)
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
    if (file.type === 'image/gif' && scale === 1) return await dataUrlOf(file)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('The browser cannot draw')
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
    onProgress(70)
    return await dataUrlOf(await written(canvas))
  } finally {
    picture.close()
    onProgress(100)
  }
}

async function written(canvas: HTMLCanvasElement): Promise<Blob> {
  const as = (type: string) => new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, WEBP_QUALITY))
  const webp = await as('image/webp')
  // A browser that cannot write WebP hands out PNG, which is many times as large.
  const blob = webp?.type === 'image/webp' ? webp : await as('image/jpeg')
  if (!blob) throw new Error('The browser cannot write the image')
  return blob
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file is not readable'))
    reader.readAsDataURL(blob)
  })
}
