/** The provider refused, with its API's status and description. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: 400 | 401 | 404
  constructor(status: 400 | 401 | 404, description: string) {
    super(description)
    this.status = status
  }
}
