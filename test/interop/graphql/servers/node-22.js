/** Adds the functions of Node 22 that PostGraphile 5 needs to Node 20. */
Promise.withResolvers ??= () => {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};
