package io.drayage.cli.admin;

import io.drayage.transport.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A server's certificate and key in PEM files, for the JDK's TLS: read again for the next
 * connection when one of them has changed. If they cannot be used then, what was read before stays.
 * Thread-safe.
 */
final class PemIdentity extends X509ExtendedKeyManager {
  private static final System.Logger LOG = System.getLogger(PemIdentity.class.getName());
  private static final List<String> KEY_TYPES = List.of("EC", "RSA", "EdDSA");
  private static final String ALIAS = "node";

  private final TlsOptions.Identity files;

  // Guarded by this:
  private List<FileTime> times;
  private Pair pair;

  private record Pair(X509Certificate[] chain, PrivateKey key) {}

  private PemIdentity(TlsOptions.Identity files) throws IOException {
    this.files = files;
    this.times = times();
    this.pair = read();
  }

  /**
   * The context of a server.
   *
   * @throws IOException if a file cannot be used, naming it
   */
  static SSLContext context(TlsOptions.Identity files) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(new KeyManager[] {new PemIdentity(files)}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  private List<FileTime> times() throws IOException {
    return List.of(
        Files.getLastModifiedTime(files.certificateChain()),
        Files.getLastModifiedTime(files.privateKey()));
  }

  private Pair read() throws IOException {
    return new Pair(chain(files.certificateChain()), key(files.privateKey()));
  }

  private static X509Certificate[] chain(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] chain =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (chain.length == 0) {
        throw new CertificateException("there is no certificate");
      }
      return chain;
    } catch (CertificateException e) {
      throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static PrivateKey key(Path file) throws IOException {
    String base64 = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
    try {
      PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
      for (String type : KEY_TYPES) {
        try {
          return KeyFactory.getInstance(type).generatePrivate(encoded);
        } catch (InvalidKeySpecException e) {
          // Of another type.
        }
      }
      throw new InvalidKeyException("it is none of " + KEY_TYPES + " in PKCS#8");
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IOException("%s holds no usable key: %s".formatted(file, e.getMessage()), e);
    }
  }

  private synchronized Pair current() {
    return pair;
  }

  private synchronized Pair renewed() {
    try {
      List<FileTime> now = times();
      if (!now.equals(times)) {
        times = now;
        pair = read();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the endpoint goes on with what was read before: {0}", e.getMessage());
    }
    return pair;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal[] issuers, SSLEngine engine) {
    String own = renewed().key().getAlgorithm();
    return keyType.equals(own) || (own.equals("RSA") && keyType.startsWith("RSA")) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return null; // The JDK's server has engines.
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return current().chain().clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return current().key();
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return null;
  }
}
