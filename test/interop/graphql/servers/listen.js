/** Serves on a free port of loopback, and prints the address of the endpoint. */
export function listen(server, path = '/graphql') {
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${server.address().port}${path}`);
  });
}
