package io.drayage.transport;

import io.drayage.cargo.Names;
import io.drayage.frame.ShipmentHeader;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Options of secured connections: TLS 1.3 and nothing older. All files are PEM. They are read when
 * a client is created or a server listens. When a file has changed, all are read again for the next
 * connection. If they cannot be used then, the previous ones remain, and the log has the reason.
 *
 * <p>A server has a {@link #ofServer certificate}. With {@link #requiringWorkers} it also asks its
 * workers for theirs, and accepts shipments only from workers whose name it knows. A client always
 * verifies the server's certificate.
 *
 * @param identity this side's own certificate and key; null only for a client that has none
 * @param trusted certificates of the authorities that may vouch for the peer; if null, a client
 *     uses the authorities of the JDK, and a server asks for no certificate
 * @param workers on a server: the names that workers may have. One of them must be a DNS name among
 *     the subject alternative names of the worker's certificate, compared without regard to case,
 *     no wildcards. If empty, workers need no certificate
 * @param peerName on a client: the name that the server's certificate must hold; null: the host to
 *     connect to
 * @param verifyPeerName on a client: whether the name is checked; if not, anyone with a certificate
 *     of the same authorities can pass for the server
 */
public record TlsOptions(
    @Nullable Identity identity,
    @Nullable Path trusted,
    Set<String> workers,
    @Nullable String peerName,
    boolean verifyPeerName) {
  /**
   * The identity of this side.
   *
   * @param certificateChain the certificate, followed by the chain to its authority
   * @param privateKey its key, PKCS#8, not encrypted
   */
  public record Identity(Path certificateChain, Path privateKey) {}

  public TlsOptions {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(workers);
    workers = Set.copyOf(names);
    workers.forEach(name -> Names.check("worker", name, ShipmentHeader.MAX_WORKER_CHARS));
    if (!workers.isEmpty() && trusted == null) {
      throw new IllegalArgumentException(
          "name the file of the authorities that vouch for the workers %s".formatted(names));
    }
  }

  /** Creates a server that asks no worker for a certificate: everyone who reaches it may ship. */
  public static TlsOptions ofServer(Path certificateChain, Path privateKey) {
    return new TlsOptions(new Identity(certificateChain, privateKey), null, Set.of(), null, true);
  }

  /**
   * Creates a client without a certificate of its own.
   *
   * @param trusted certificates of the authorities that may vouch for the server; null: the JDK's
   */
  public static TlsOptions ofClient(@Nullable Path trusted) {
    return new TlsOptions(null, trusted, Set.of(), null, true);
  }

  /**
   * Returns this server's options, for these workers only.
   *
   * @param authorities certificates of the authorities that may vouch for the workers
   * @param names of the workers, at least one
   */
  public TlsOptions requiringWorkers(Path authorities, Set<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no worker is named, so none could ship");
    }
    return new TlsOptions(identity, authorities, names, peerName, verifyPeerName);
  }

  /** Returns this client's options with a certificate of its own, for servers that ask for it. */
  public TlsOptions withIdentity(Path certificateChain, Path privateKey) {
    return new TlsOptions(
        new Identity(certificateChain, privateKey), trusted, workers, peerName, verifyPeerName);
  }

  /** Returns this client's options for a certificate with this name, at any server address. */
  public TlsOptions withPeerName(String name) {
    return new TlsOptions(identity, trusted, workers, name, true);
  }

  /** Returns this client's options without a check of the name in the server's certificate. */
  public TlsOptions withoutPeerName() {
    return new TlsOptions(identity, trusted, workers, null, false);
  }
}
