/** Leaves out parts of a build that do not depend on the library. */
export default {
  eslint: { ignoreDuringBuilds: true },
  typescript: { ignoreBuildErrors: true },
  experimental: { cpus: 1, webpackBuildWorker: false },
  webpack(config, { isServer }) {
    config.cache = false;
    // The library is only in the code of the server.
    config.optimization.minimize = isServer;
    return config;
  },
};
