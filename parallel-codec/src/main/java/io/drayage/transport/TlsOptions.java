package io.drayage.transport;

import io.drayage.cargo.Names;
import io.drayage.frame.ShipmentHeader;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How connections are secured: TLS 1.3 and nothing older. All files are PEM. They are read when a
 * client is made or a server listens, and again for the next connection when one has changed; if
 * they cannot be used then, what was read before stays, and the log says why.
 *
 * <p>A server has a {@link #ofServer certificate}; with {@link #requiringWorkers} it also asks its
 * workers for theirs, and takes shipments only from those whose name it knows. A client always
 * verifies the server's certificate.
 *
 * @param identity this side's own certificate and key; null only for a client that has none
 * @param trusted certificates of the authorities that may vouch for the peer; null: on a client
 *     those of the JDK, on a server none is asked for
 * @param workers on a server the names that workers may have, one of which must be a DNS name among
 *     the subject alternative names of their certificate; compared without regard to case, no
 *     wildcards. Empty: workers are not asked who they are
 * @param peerName on a client the name that the server's certificate must hold; null: the host that
 *     is connected to
 * @param verifyPeerName on a client whether the name is checked: if not, anyone with a certificate
 *     of the same authorities can pass for the server
 */
public record TlsOptions(
    @Nullable Identity identity,
    @Nullable Path trusted,
    Set<String> workers,
    @Nullable String peerName,
    boolean verifyPeerName) {
  /**
   * Who this side is.
   *
   * @param certificateChain the certificate, followed by those that lead to its authority
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
          "who vouches for the workers %s? Name the file of authorities".formatted(names));
    }
  }

  /** A server that does not ask its workers who they are: everyone who reaches it may ship. */
  public static TlsOptions ofServer(Path certificateChain, Path privateKey) {
    return new TlsOptions(new Identity(certificateChain, privateKey), null, Set.of(), null, true);
  }

  /**
   * A client without a certificate of its own.
   *
   * @param trusted certificates of the authorities that may vouch for the server; null: the JDK's
   */
  public static TlsOptions ofClient(@Nullable Path trusted) {
    return new TlsOptions(null, trusted, Set.of(), null, true);
  }

  /**
   * The same server, for these workers only.
   *
   * @param authorities who may vouch for them
   * @param names theirs, at least one
   */
  public TlsOptions requiringWorkers(Path authorities, Set<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("no worker is named, so none could ship");
    }
    return new TlsOptions(identity, authorities, names, peerName, verifyPeerName);
  }

  /** The same client with a certificate of its own, for servers that ask for it. */
  public TlsOptions withIdentity(Path certificateChain, Path privateKey) {
    return new TlsOptions(
        new Identity(certificateChain, privateKey), trusted, workers, peerName, verifyPeerName);
  }

  /** The same client for a server whose certificate holds this name, wherever it is reached. */
  public TlsOptions withPeerName(String name) {
    return new TlsOptions(identity, trusted, workers, name, true);
  }

  /** The same client, which does not look at the name in the server's certificate. */
  public TlsOptions withoutPeerName() {
    return new TlsOptions(identity, trusted, workers, null, false);
  }
}
