package io.drayage.transport.netty.tls;

import io.drayage.transport.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that a private key fits a certificate, which no engine checks before a handshake. */
public final class TlsIdentity {
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN [A-Z0-9 ]*CERTIFICATE-----([^-]+)-----END");

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END");

  private static final byte[] SIGNED = {0};

  private TlsIdentity() {}

  /**
   * Reads the first certificate of the file, which is the own one, and the key.
   *
   * @throws IllegalArgumentException if the key belongs to another certificate, naming both files;
   *     or if a file cannot be used, naming the file
   */
  public static void check(TlsOptions.Identity own) {
    PublicKey certified = certified(own.certificateChain());
    byte[] key = block(PRIVATE_KEY, own.privateKey(), "private key in PKCS#8, not encrypted");
    boolean belongs;
    try {
      KeyFactory keys = KeyFactory.getInstance(certified.getAlgorithm());
      belongs = belongs(keys.generatePrivate(new PKCS8EncodedKeySpec(key)), certified);
    } catch (GeneralSecurityException e) { // Such as a key of another algorithm.
      belongs = false;
    }
    if (!belongs) {
      throw new IllegalArgumentException(
          "%s is not the private key of the certificate in %s"
              .formatted(own.privateKey(), own.certificateChain()));
    }
  }

  private static boolean belongs(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (key instanceof RSAKey one && certified instanceof RSAKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    String algorithm = certified.getAlgorithm();
    Signature signature =
        Signature.getInstance(algorithm.equals("EC") ? "SHA256withECDSA" : algorithm);
    signature.initSign(key);
    signature.update(SIGNED); // EdDSA of the JDK does not verify an empty text.
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(SIGNED);
    return signature.verify(signed);
  }

  private static PublicKey certified(Path file) {
    byte[] first = block(CERTIFICATE, file, "certificate");
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(first))
          .getPublicKey();
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          "the certificate in %s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static byte[] block(Pattern kind, Path file, String name) {
    try {
      Matcher found = kind.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      if (!found.find()) {
        throw new IllegalArgumentException("%s has no %s".formatted(file, name));
      }
      return Base64.getMimeDecoder().decode(found.group(1));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read %s: %s".formatted(file, e), e);
    }
  }
}
