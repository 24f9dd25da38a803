/** The provider says no, with the status and description that its API answers. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: 400 | 401 | 404
  constructor(status: 400 | 401 | 404, description: string) {
    super(description)
    this.status = status
  }
}
