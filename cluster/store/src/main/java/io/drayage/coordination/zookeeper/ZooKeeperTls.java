package io.drayage.coordination.zookeeper;

import java.nio.file.Path;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.jspecify.annotations.Nullable;

/**
 * The TLS options of connections to ZooKeeper's servers. The certificate of a server must have the
 * name by which it is reached. The files are read when a session begins. These files override the
 * system properties of ZooKeeper's TLS for files and file types. Other such properties, for
 * instance passwords, revocation or protocols, apply here too.
 *
 * @param authorities the certificates that servers are verified with; PEM
 * @param identity the certificate of this node with its chain, and its key in PKCS#8, not
 *     encrypted, in one file; PEM. Null if the servers do not require it
 */
public record ZooKeeperTls(Path authorities, @Nullable Path identity) {
  private static final String PEM = "PEM";

  ZKClientConfig configuration() {
    ZKClientConfig configuration = new ZKClientConfig();
    configuration.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    configuration.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
    try (ClientX509Util names = new ClientX509Util()) {
      configuration.setProperty(names.getSslTruststoreLocationProperty(), authorities.toString());
      configuration.setProperty(names.getSslTruststoreTypeProperty(), PEM);
      configuration.setProperty(
          names.getSslKeystoreLocationProperty(), identity == null ? "" : identity.toString());
      configuration.setProperty(names.getSslKeystoreTypeProperty(), PEM);
      configuration.setProperty(names.getSslHostnameVerificationEnabledProperty(), "true");
    }
    return configuration;
  }
}
