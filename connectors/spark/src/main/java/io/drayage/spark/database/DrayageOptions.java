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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster is and how it is used, as {@code spark.sql.catalog.NAME.OPTION} says it. Files
 * are named, and read by each JVM: each executor needs them at the same path. Immutable.
 *
 * @param zookeeper {@code HOST:PORT[,...][/ROOT]}
 * @param store {@code fs:FOLDER} or {@code s3:BUCKET[/PREFIX][?OPTIONS]}
 * @param name of the coordinator of transactions; where workers prove theirs, that counts
 * @param zookeeperLogin a file with USER:PASSWORD; null for none
 * @param zookeeperTlsCa who vouches for ZooKeeper's servers; null: no TLS
 * @param zookeeperTlsIdentity certificate and key for ZooKeeper in one file; null for none
 * @param tlsCa who vouches for the transactors; null: those that the JVM trusts
 * @param tlsCert certificate of this worker; null for none
 * @param tlsKey its key; null for none
 * @param tlsName the name in the transactors' certificates; null: the host of each
 * @param shipmentsPerExecutor how many fragments a JVM ships at a time
 * @param cacheBytes the most bytes of columns that a JVM keeps for its next queries
 */
public record DrayageOptions(
    String zookeeper,
    String store,
    String name,
    @Nullable String zookeeperLogin,
    @Nullable String zookeeperTlsCa,
    @Nullable String zookeeperTlsIdentity,
    @Nullable String tlsCa,
    @Nullable String tlsCert,
    @Nullable String tlsKey,
    @Nullable String tlsName,
    int shipmentsPerExecutor,
    long cacheBytes)
    implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int DEFAULT_SHIPMENTS = 4;
  private static final int MAX_SHIPMENTS = 64;

  /** Of the heap, unless {@code cacheBytes} is given. */
  private static final int DEFAULT_CACHE_PARTS = 4;

  private static final String DEFAULT_NAME = "spark";
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern USER_AND_PASSWORD = Pattern.compile("[^:\\s]+:\\S+");

  /** Before the host of an endpoint; a folder's name may have the same character. */
  private static final Pattern USER_OF_STORE = Pattern.compile("://[^/]*@");

  private static final Pattern USER_OF_ZOOKEEPER = Pattern.compile("@");

  private static final Set<String> KNOWN =
      Set.of(
          "zookeeper",
          "store",
          "name",
          "zookeeperLogin",
          "zookeeperTlsCa",
          "zookeeperTlsIdentity",
          "tlsCa",
          "tlsCert",
          "tlsKey",
          "tlsName",
          "shipmentsPerExecutor",
          "cacheBytes");

  /**
   * Reads them.
   *
   * @param catalog the name of the catalog, for messages
   * @param given by name, in whatever case
   * @throws DrayageException if one is missing, unknown or no such value, naming it
   */
  public static DrayageOptions parse(String catalog, Map<String, String> given) {
    Reader reader = new Reader(catalog, given);
    reader.requireKnown();
    DrayageOptions options =
        new DrayageOptions(
            reader.required("zookeeper", "HOST:PORT[,...][/ROOT]"),
            reader.required("store", "fs:FOLDER or s3:BUCKET[/PREFIX][?OPTIONS]"),
            reader.text("name", DEFAULT_NAME),
            reader.text("zookeeperLogin"),
            reader.text("zookeeperTlsCa"),
            reader.text("zookeeperTlsIdentity"),
            reader.text("tlsCa"),
            reader.text("tlsCert"),
            reader.text("tlsKey"),
            reader.text("tlsName"),
            (int) reader.number("shipmentsPerExecutor", DEFAULT_SHIPMENTS, 1, MAX_SHIPMENTS),
            reader.number("cacheBytes", 0, 1, Long.MAX_VALUE));
    reader.requireNoMatch("zookeeper", USER_OF_ZOOKEEPER, "zookeeperLogin names a file with both");
    reader.requireNoMatch(
        "store", USER_OF_STORE, "the S3 client finds them in the environment of each process");
    reader.valid("zookeeper", () -> ZooKeeperOptions.of(options.zookeeper));
    if ((options.tlsCert == null) != (options.tlsKey == null)) {
      throw reader.refused("tlsCert and tlsKey belong together");
    }
    if (options.zookeeperTlsIdentity != null && options.zookeeperTlsCa == null) {
      throw reader.refused("zookeeperTlsIdentity needs zookeeperTlsCa, who vouch for the servers");
    }
    return options;
  }

  /** As {@link #cacheBytes}, or a quarter of this JVM's heap if nothing was given. */
  public long cacheBytesHere() {
    return cacheBytes > 0 ? cacheBytes : Runtime.getRuntime().maxMemory() / DEFAULT_CACHE_PARTS;
  }

  /**
   * For this JVM.
   *
   * @throws IOException if a file cannot be read, is no such file, or others can read the secret
   */
  ZooKeeperOptions zooKeeper() throws IOException {
    ZooKeeperOptions options =
        ZooKeeperOptions.of(zookeeper)
            .withTimeouts(ZooKeeperOptions.DEFAULT_SESSION_TIMEOUT, ANSWER_TIMEOUT);
    if (zookeeperLogin != null) {
      options = options.withCredentials(login(Path.of(zookeeperLogin)));
    }
    if (zookeeperTlsCa != null) {
      Path identity = zookeeperTlsIdentity == null ? null : Path.of(zookeeperTlsIdentity);
      if (identity != null) {
        SecretFile.requirePrivate(identity);
      }
      options = options.withTls(new ZooKeeperTls(Path.of(zookeeperTlsCa), identity));
    }
    return options;
  }

  /** Never shows what is in the file. */
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
   * Of the connections to transactors; null without TLS.
   *
   * @throws IOException if others can read the key
   */
  @Nullable TlsOptions tls() throws IOException {
    if (tlsCa == null && tlsCert == null && tlsName == null) {
      return null;
    }
    TlsOptions tls = TlsOptions.ofClient(tlsCa == null ? null : Path.of(tlsCa));
    if (tlsName != null) {
      tls = tls.withPeerName(tlsName);
    }
    if (tlsCert != null && tlsKey != null) {
      SecretFile.requirePrivate(Path.of(tlsKey));
      tls = tls.withIdentity(Path.of(tlsCert), Path.of(tlsKey));
    }
    return tls;
  }

  /** Reads values by name. */
  private static final class Reader {
    private final String catalog;
    private final Map<String, String> given;

    Reader(String catalog, Map<String, String> given) {
      this.catalog = catalog;
      this.given = given;
    }

    DrayageException refused(String why) {
      return new DrayageException(
          DrayageException.Condition.INVALID_OPTION, "catalog %s: %s".formatted(catalog, why));
    }

    void requireKnown() {
      for (String name : given.keySet()) {
        if (KNOWN.stream().noneMatch(name::equalsIgnoreCase)) {
          throw refused(
              "there is no option '%s', only %s"
                  .formatted(name, String.join(", ", new TreeSet<>(KNOWN))));
        }
      }
    }

    @Nullable String text(String name) {
      return given.entrySet().stream()
          .filter(each -> each.getKey().equalsIgnoreCase(name) && !each.getValue().isBlank())
          .map(each -> each.getValue().strip())
          .findFirst()
          .orElse(null);
    }

    String text(String name, String other) {
      String value = text(name);
      return value == null ? other : value;
    }

    String required(String name, String form) {
      String value = text(name);
      if (value == null) {
        throw refused("set spark.sql.catalog.%s.%s=%s".formatted(catalog, name, form));
      }
      return value;
    }

    long number(String name, long other, long min, long max) {
      String value = text(name);
      if (value == null) {
        return other;
      }
      try {
        long number = Long.parseLong(value);
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Told below.
      }
      throw refused(
          max == Long.MAX_VALUE
              ? format("%s must be a number from %d on, not '%s'", name, min, value)
              : format("%s must be %d to %d, not '%s'", name, min, max, value));
    }

    /** Spark shows settings in plans, logs and its UI. Does not show the value either. */
    void requireNoMatch(String name, Pattern secret, String where) {
      String value = text(name);
      if (value != null && secret.matcher(value).find()) {
        throw refused(
            "%s has a user or a password in its address: leave them out, %s"
                .formatted(name, where));
      }
    }

    void valid(String name, Runnable check) {
      try {
        check.run();
      } catch (IllegalArgumentException e) {
        throw refused("%s: %s".formatted(name.toLowerCase(Locale.ROOT), e.getMessage()));
      }
    }
  }
}
