package io.drayage.coordination.zookeeper;

import java.nio.file.Path;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.jspecify.annotations.Nullable;

/**
 * TLS to ZooKeeper's servers, whose certificates must have the name by which they are reached. The
 * files are read when a session begins. They prevail over the system properties of ZooKeeper's TLS
 * that name files and their types; what else those say, such as passwords, revocation or protocols,
 * holds here too.
 *
 * @param authorities who vouch for the servers; PEM
 * @param identity the certificate of this node with its chain, and its key in PKCS#8, not
 *     encrypted, in one file; PEM. Null if the servers do not ask
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
