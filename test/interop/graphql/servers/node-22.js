/** What PostGraphile 5 needs of Node 22, for Node 20. */
Promise.withResolvers ??= () => {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};
