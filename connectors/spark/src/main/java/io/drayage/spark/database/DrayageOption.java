package io.drayage.spark.database;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/** Declares each option that is known, with its place and what counts where it is not given. */
public enum DrayageOption {
  /** {@code HOST:PORT[,...][/ROOT]}; needed. */
  ZOOKEEPER(Place.CATALOG, "zookeeper"),
  /** {@code fs:FOLDER} or {@code s3:BUCKET[/PREFIX][?OPTIONS]}; needed. */
  STORE(Place.CATALOG, "store"),
  /** The name of the coordinator and of workers; where workers prove theirs, that counts. */
  NAME(Place.CATALOG, "name", "spark"),
  /** A file with USER:PASSWORD for ZooKeeper. */
  ZOOKEEPER_LOGIN(Place.CATALOG, "zookeeperLogin"),
  /** Certificates that vouch for ZooKeeper's servers; without them there is no TLS. */
  ZOOKEEPER_TLS_CA(Place.CATALOG, "zookeeperTlsCa"),
  /** Certificate and key for ZooKeeper in one file. */
  ZOOKEEPER_TLS_IDENTITY(Place.CATALOG, "zookeeperTlsIdentity"),
  /** Certificates that vouch for transactors; without them those that the JVM trusts do. */
  TLS_CA(Place.CATALOG, "tlsCa"),
  /** The certificate of a worker. */
  TLS_CERT(Place.CATALOG, "tlsCert"),
  /** The key of that certificate. */
  TLS_KEY(Place.CATALOG, "tlsKey"),
  /** The name in the transactors' certificates; without it the host of each. */
  TLS_NAME(Place.CATALOG, "tlsName"),
  /** How many fragments a JVM ships at a time, 1 to 64. */
  SHIPMENTS_PER_EXECUTOR(Place.CATALOG, "shipmentsPerExecutor", "4"),
  /** The most bytes of columns that a JVM keeps; without it a quarter of the heap. */
  CACHE_BYTES(Place.CATALOG, "cacheBytes"),

  /** The application that numbers its writes. */
  TXN_APP_ID(Place.WRITE, "txnAppId"),
  /** The number of a write of an application, which takes effect once. */
  TXN_VERSION(Place.WRITE, "txnVersion"),
  /** {@code snapshot}, or {@code serializable}: fails if others have inserted meanwhile. */
  ISOLATION(Place.WRITE, "isolation", "snapshot"),
  CHECKPOINT_LOCATION(Place.STREAM, "checkpointLocation"), // Spark's own, as the next.
  QUERY_NAME(Place.STREAM, "queryName"),

  /** The number of a snapshot. Spark asks the catalog for the table in it. */
  VERSION_AS_OF(Place.READ, "versionAsOf");

  /** Where an option is given. */
  public enum Place {
    /** A setting {@code spark.sql.catalog.NAME.OPTION}. */
    CATALOG,
    /** An option of a write; else {@code spark.drayage.OPTION} of its session counts. */
    WRITE,
    /** An option of a stream, which Spark hands over with those of a write. */
    STREAM,
    /** An option of a read. */
    READ
  }

  private static final String SETTING = "spark.drayage.";

  private final Place place;
  private final String key;
  private final String fallback;

  DrayageOption(Place place, String key) {
    this(place, key, "");
  }

  DrayageOption(Place place, String key, String fallback) {
    this.place = place;
    this.key = key;
    this.fallback = fallback;
  }

  /** The name that users write. */
  public String key() {
    return key;
  }

  /** The setting of a session that counts where a write does not have the option. */
  public String setting() {
    return SETTING + key;
  }

  /** The value that counts where none is given; empty for none. */
  public String fallback() {
    return fallback;
  }

  /** The options of some places. */
  static List<DrayageOption> of(Place... places) {
    return Stream.of(values()).filter(each -> List.of(places).contains(each.place)).toList();
  }

  /**
   * Looks at what was given, in whatever case.
   *
   * @param to the catalog or table that it was given to
   * @throws DrayageException if an option is unknown, naming it
   */
  public static void requireKnown(String to, CaseInsensitiveStringMap given, Place... places) {
    List<String> known = of(places).stream().map(DrayageOption::key).sorted().toList();
    for (String key : given.asCaseSensitiveMap().keySet()) {
      if (known.stream().noneMatch(key::equalsIgnoreCase)) {
        throw DrayageException.invalidOption(
            "%s: there is no %s option '%s', only %s"
                .formatted(
                    to, places[0].name().toLowerCase(Locale.ROOT), key, String.join(", ", known)));
      }
    }
  }

  /**
   * Looks at the settings of the active session. A key that is spelled wrong, in its case too,
   * would count as one that is not set.
   *
   * @throws DrayageException if one is unknown, naming it
   */
  public static void requireKnownSettings() {
    List<String> known = of(Place.WRITE).stream().map(DrayageOption::setting).sorted().toList();
    for (String key : CollectionConverters.asJava(SparkSession.active().conf().getAll()).keySet()) {
      if (key.regionMatches(true, 0, SETTING, 0, SETTING.length()) && !known.contains(key)) {
        throw DrayageException.invalidOption(
            "there is no setting '%s' of a session, only %s: RESET it"
                .formatted(key, String.join(", ", known)));
      }
    }
  }
}
