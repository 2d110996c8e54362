package io.drayage.spark.database;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/** The known options, with their places and defaults. */
public enum DrayageOption {
  /** {@code HOST:PORT[,...][/ROOT]}; needed. */
  ZOOKEEPER(Place.CATALOG, "zookeeper"),
  /** {@code fs:FOLDER} or {@code s3:BUCKET[/PREFIX][?OPTIONS]}; needed. */
  STORE(Place.CATALOG, "store"),
  /** The name of the coordinator and of workers, unless workers prove another name. */
  NAME(Place.CATALOG, "name", "spark"),
  /** A file with USER:PASSWORD for ZooKeeper. */
  ZOOKEEPER_LOGIN(Place.CATALOG, "zookeeperLogin"),
  /** Certificates that authenticate ZooKeeper's servers; there is no TLS without them. */
  ZOOKEEPER_TLS_CA(Place.CATALOG, "zookeeperTlsCa"),
  /** Certificate and key for ZooKeeper in one file. */
  ZOOKEEPER_TLS_IDENTITY(Place.CATALOG, "zookeeperTlsIdentity"),
  /** Certificates that authenticate transactors; the default is the JVM's trust store. */
  TLS_CA(Place.CATALOG, "tlsCa"),
  /** The certificate of a worker. */
  TLS_CERT(Place.CATALOG, "tlsCert"),
  /** The key of that certificate. */
  TLS_KEY(Place.CATALOG, "tlsKey"),
  /** The name in the transactors' certificates; the default is the host of each. */
  TLS_NAME(Place.CATALOG, "tlsName"),
  /** Number of fragments that a JVM ships at the same time, 1 to 64. */
  SHIPMENTS_PER_EXECUTOR(Place.CATALOG, "shipmentsPerExecutor", "4"),
  /** Limit of bytes of columns that a JVM keeps; the default is a quarter of the heap. */
  CACHE_BYTES(Place.CATALOG, "cacheBytes"),

  /** The application that numbers its writes. */
  TXN_APP_ID(Place.WRITE, "txnAppId"),
  /** The number of a write of an application, which takes effect once. */
  TXN_VERSION(Place.WRITE, "txnVersion"),
  /** {@code snapshot}, or {@code serializable}: fails if others have inserted rows meanwhile. */
  ISOLATION(Place.WRITE, "isolation", "snapshot"),
  CHECKPOINT_LOCATION(Place.STREAM, "checkpointLocation"), // Options of Spark.
  QUERY_NAME(Place.STREAM, "queryName"),

  /** The number of a snapshot. Spark loads the table in this snapshot from the catalog. */
  VERSION_AS_OF(Place.READ, "versionAsOf"),

  /** The first snapshot whose changes are read; a stream without it begins with all rows. */
  STARTING_VERSION(Place.STREAM_READ, "startingVersion"),
  /** Limit of snapshots that change the table, in each batch of a stream. */
  MAX_SNAPSHOTS(Place.STREAM_READ, "maxSnapshotsPerTrigger"),
  /** Limit of uncompressed bytes of changes, in each batch of a stream. */
  MAX_BYTES(Place.STREAM_READ, "maxBytesPerTrigger"),
  STARTING_BOUND(Place.CHANGES, "startingBoundInclusive"), // Options of Spark.
  ENDING_VERSION(Place.CHANGES, "endingVersion"),
  ENDING_BOUND(Place.CHANGES, "endingBoundInclusive"),
  COMPUTE_UPDATES(Place.CHANGES, "computeUpdates"),
  DEDUPLICATION_MODE(Place.CHANGES, "deduplicationMode");

  /** The place of an option. */
  public enum Place {
    /** A setting {@code spark.sql.catalog.NAME.OPTION}. */
    CATALOG,
    /** An option of a write; its default is {@code spark.drayage.OPTION} of the session. */
    WRITE,
    /** An option of a stream; Spark passes it with those of a write. */
    STREAM,
    /** An option of a read. */
    READ,
    /** An option of a stream that reads; a query of changes has the same start. */
    STREAM_READ,
    /** An option of a read of changes, which Spark passes on as their range. */
    CHANGES
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

  /** Returns the name for users. */
  public String key() {
    return key;
  }

  /** Returns the setting of a session that is the default of the write's option. */
  public String setting() {
    return SETTING + key;
  }

  /** Returns the default; empty for none. */
  public String fallback() {
    return fallback;
  }

  /** Returns the options of some places. */
  static List<DrayageOption> of(Place... places) {
    return Stream.of(values()).filter(each -> List.of(places).contains(each.place)).toList();
  }

  /**
   * Checks given options, ignoring case.
   *
   * @param to the catalog or table with the options
   * @throws DrayageException if an option is unknown, with its name
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
   * Checks the settings of the active session. Otherwise a misspelled key, also in its case, would
   * be ignored.
   *
   * @throws DrayageException if one is unknown, with its name
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
