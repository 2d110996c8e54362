package io.drayage.spark.database;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.coordination.zookeeper.ZooKeeperTls;
import io.drayage.files.SecretFile;
import io.drayage.transport.TlsOptions;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a catalog. They contain names of files, which each JVM reads: each executor needs
 * them at the same path. Immutable.
 *
 * @param values by option, each as given or its default; empty without both
 */
public record DrayageOptions(Map<DrayageOption, String> values) implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int MAX_SHIPMENTS = 64;

  /** The part of the heap without {@code cacheBytes}: one in this many. */
  private static final int DEFAULT_CACHE_PARTS = 4;

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern USER_AND_PASSWORD = Pattern.compile("[^:\\s]+:\\S+");

  /** Matches a user before the host of an endpoint, but not that character in a folder's name. */
  private static final Pattern USER_OF_STORE = Pattern.compile("://[^/]*@");

  private static final Pattern USER_OF_ZOOKEEPER = Pattern.compile("@");

  /**
   * Reads the options.
   *
   * @param catalog the name of the catalog, for messages
   * @param given by name, ignoring case
   * @throws DrayageException if one is missing, unknown or has a wrong value, with its name
   */
  public static DrayageOptions parse(String catalog, Map<String, String> given) {
    String named = "catalog " + catalog;
    CaseInsensitiveStringMap byKey = new CaseInsensitiveStringMap(given);
    DrayageOption.requireKnown(named, byKey, DrayageOption.Place.CATALOG);
    EnumMap<DrayageOption, String> values = new EnumMap<>(DrayageOption.class);
    for (DrayageOption each : DrayageOption.of(DrayageOption.Place.CATALOG)) {
      String value = byKey.getOrDefault(each.key(), "").strip();
      values.put(each, value.isEmpty() ? each.fallback() : value);
    }
    DrayageOptions options = new DrayageOptions(Collections.unmodifiableMap(values));
    try {
      options.check("set spark.sql.catalog." + catalog);
    } catch (IllegalArgumentException e) {
      throw DrayageException.invalidOption(named + ": " + e.getMessage());
    }
    return options;
  }

  private void check(String set) {
    require(has(DrayageOption.ZOOKEEPER), set + ".zookeeper=HOST:PORT[,...][/ROOT]");
    require(has(DrayageOption.STORE), set + ".store=fs:FOLDER or s3:BUCKET[/PREFIX][?OPTIONS]");
    long unused = shipmentsPerExecutor() + cacheBytes();
    requireNoMatch(
        DrayageOption.ZOOKEEPER, USER_OF_ZOOKEEPER, "zookeeperLogin names a file with both");
    requireNoMatch(
        DrayageOption.STORE,
        USER_OF_STORE,
        "the S3 client finds them in the environment of each process");
    ZooKeeperOptions unusedToo = ZooKeeperOptions.of(get(DrayageOption.ZOOKEEPER));
    require(
        has(DrayageOption.TLS_CERT) == has(DrayageOption.TLS_KEY),
        "tlsCert and tlsKey belong together");
    require(
        has(DrayageOption.ZOOKEEPER_TLS_CA) || !has(DrayageOption.ZOOKEEPER_TLS_IDENTITY),
        "zookeeperTlsIdentity needs zookeeperTlsCa, the authorities of the servers");
  }

  /** Refuses a secret and hides its value, because Spark shows settings in plans and logs. */
  private void requireNoMatch(DrayageOption option, Pattern secret, String where) {
    require(
        !secret.matcher(get(option)).find(),
        "%s has a user or a password in its address: leave them out, %s"
            .formatted(option.key(), where));
  }

  private static void require(boolean right, String why) {
    if (!right) {
      throw new IllegalArgumentException(why);
    }
  }

  /** Returns the value of an option of catalogs. */
  public String get(DrayageOption option) {
    return values.getOrDefault(option, "");
  }

  private boolean has(DrayageOption option) {
    return !get(option).isEmpty();
  }

  private @Nullable Path file(DrayageOption option) {
    return has(option) ? Path.of(get(option)) : null;
  }

  private long number(DrayageOption option, long max) {
    long number = 0;
    try {
      number = Long.parseLong(get(option));
    } catch (NumberFormatException e) {
      // Reported below.
    }
    require(
        number >= 1 && number <= max,
        format("%s must be 1 to %d, not '%s'", option.key(), max, get(option)));
    return number;
  }

  /** Returns the number of fragments that a JVM ships at the same time. */
  int shipmentsPerExecutor() {
    return (int) number(DrayageOption.SHIPMENTS_PER_EXECUTOR, MAX_SHIPMENTS);
  }

  /** Returns the option, or a quarter of this JVM's heap. */
  public long cacheBytes() {
    return has(DrayageOption.CACHE_BYTES)
        ? number(DrayageOption.CACHE_BYTES, Long.MAX_VALUE)
        : Runtime.getRuntime().maxMemory() / DEFAULT_CACHE_PARTS;
  }

  /**
   * Returns the options for ZooKeeper in this JVM.
   *
   * @throws IOException if a file cannot be read, is of another kind, or others can read the secret
   */
  ZooKeeperOptions zooKeeper() throws IOException {
    ZooKeeperOptions options =
        ZooKeeperOptions.of(get(DrayageOption.ZOOKEEPER))
            .withTimeouts(ZooKeeperOptions.DEFAULT_SESSION_TIMEOUT, ANSWER_TIMEOUT);
    if (has(DrayageOption.ZOOKEEPER_LOGIN)) {
      options = options.withCredentials(login(Path.of(get(DrayageOption.ZOOKEEPER_LOGIN))));
    }
    Path ca = file(DrayageOption.ZOOKEEPER_TLS_CA);
    if (ca != null) {
      Path identity = file(DrayageOption.ZOOKEEPER_TLS_IDENTITY);
      if (identity != null) {
        SecretFile.requirePrivate(identity);
      }
      options = options.withTls(new ZooKeeperTls(ca, identity));
    }
    return options;
  }

  /** Reads a login; no message shows the content of the file. */
  private static String login(Path file) throws IOException {
    SecretFile.requirePrivate(file);
    String text = Files.readString(file).strip();
    if (!USER_AND_PASSWORD.matcher(text).matches()) {
      throw new IOException(
          "zookeeperLogin %s has no line of the form USER:PASSWORD".formatted(file));
    }
    return text;
  }

  /**
   * Returns the options of connections to transactors; null without TLS.
   *
   * @throws IOException if others can read the key
   */
  @Nullable TlsOptions tls() throws IOException {
    if (!has(DrayageOption.TLS_CA)
        && !has(DrayageOption.TLS_CERT)
        && !has(DrayageOption.TLS_NAME)) {
      return null;
    }
    TlsOptions tls = TlsOptions.ofClient(file(DrayageOption.TLS_CA));
    if (has(DrayageOption.TLS_NAME)) {
      tls = tls.withPeerName(get(DrayageOption.TLS_NAME));
    }
    Path certificate = file(DrayageOption.TLS_CERT);
    Path key = file(DrayageOption.TLS_KEY);
    if (certificate != null && key != null) {
      SecretFile.requirePrivate(key);
      tls = tls.withIdentity(certificate, key);
    }
    return tls;
  }
}
