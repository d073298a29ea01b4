// A certified OpenID provider (npm: oidc-provider) with one user. node real_provider.mjs NODE_MODULES PORT RETURN
import { pathToFileURL } from "node:url";

const [modules, port, back] = process.argv.slice(2);
const { Provider } = await import(pathToFileURL(`${modules}/oidc-provider/lib/index.js`));
const user = { email: "ada@first.example", email_verified: true };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "sightline-console",
      client_secret: "a secret of the client",
      redirect_uris: [back],
      token_endpoint_auth_method: "client_secret_post",
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  extraTokenClaims: () => user,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...user }) }),
  features: {
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope: "",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 300,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
