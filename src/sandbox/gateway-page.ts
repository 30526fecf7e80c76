/** What a gateway in front of a service answers when the service cannot: the fault `http`. */
export function gatewayPage(status: number): Response {
  const hasNoBody = [204, 205, 304].includes(status);
  const page = `<!doctype html><title>${status}</title><h1>${status}</h1>\n`;
  return new Response(hasNoBody ? null : page, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...((status === 429 || status === 503) && { 'Retry-After': '1' }),
    },
  });
}
