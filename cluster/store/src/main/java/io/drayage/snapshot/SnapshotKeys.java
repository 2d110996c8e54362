package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of snapshots in the object store. */
public final class SnapshotKeys {
  public static final String MANIFESTS = "snapshots/";
  public static final String DATA = "data/";
  static final String LOADING = "loading/";

  /** The key that a primary creates and deletes to check that it can write. */
  public static final String PROBE = "probe/write";

  /** The prefix of transactions of several workers that may not have ended. */
  public static final String OPEN = "open/";

  /** The prefix of the fragments of these transactions. */
  public static final String FRAGMENTS = "fragments/";

  private static final Pattern MANIFEST = Pattern.compile("snapshots/([0-9]{20})\\.(commit|full)");

  private static final String UUID_PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private static final Pattern DATA_KEY =
      Pattern.compile("data/(%1$s|[0-9]{20}-(rows|history))-%1$s".formatted(UUID_PATTERN));

  private static final Pattern LOADING_KEY =
      Pattern.compile("loading/0([0-9]{19})-%s".formatted(UUID_PATTERN));

  private static final Pattern OPEN_KEY = Pattern.compile("open/(%s)".formatted(UUID_PATTERN));

  private static final Pattern FRAGMENT_KEY =
      Pattern.compile("fragments/(%1$s)/(%1$s)".formatted(UUID_PATTERN));

  private SnapshotKeys() {}

  /** The key of the record of an open transaction. */
  public static String open(UUID transaction) {
    return OPEN + transaction;
  }

  /** The transaction of that key; null if it is the key of something else. */
  public static @Nullable UUID openTransaction(String key) {
    Matcher matcher = OPEN_KEY.matcher(key);
    return matcher.matches() ? UUID.fromString(matcher.group(1)) : null;
  }

  /**
   * The place of the record of a fragment.
   *
   * @param fragment the id of its cargo
   */
  public record FragmentPlace(UUID transaction, UUID fragment) {
    /** The key of the record. */
    public String key() {
      return FRAGMENTS + transaction + "/" + fragment;
    }
  }

  /** Parses the key of the record of a fragment; null if it is the key of something else. */
  public static @Nullable FragmentPlace fragment(String key) {
    Matcher matcher = FRAGMENT_KEY.matcher(key);
    return matcher.matches()
        ? new FragmentPlace(UUID.fromString(matcher.group(1)), UUID.fromString(matcher.group(2)))
        : null;
  }

  /**
   * The place of an object of manifests, which its key contains.
   *
   * @param logEntry whether it holds log entries; otherwise it is a full snapshot
   * @param timestamp of its first manifest
   */
  public record Place(boolean logEntry, long timestamp) {
    /** The place of an entry of the log. */
    public static Place entry(long timestamp) {
      return new Place(true, timestamp);
    }

    /** The place of a full snapshot. */
    public static Place full(long timestamp) {
      return new Place(false, timestamp);
    }

    /** The key, with a zero-padded timestamp, so that keys sort by timestamp. */
    public String key() {
      return format("%s%020d.%s", MANIFESTS, timestamp, logEntry ? "commit" : "full");
    }
  }

  /** Parses the key of a manifest; null if it is the key of something else. */
  public static @Nullable Place place(String key) {
    Matcher matcher = MANIFEST.matcher(key);
    if (!matcher.matches()) {
      return null;
    }
    try {
      return new Place(matcher.group(2).equals("commit"), Long.parseLong(matcher.group(1)));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A new key for the frames of a transaction, whose timestamp is not known yet. */
  static String data(UUID transactionId) {
    return DATA + transactionId + "-" + UUID.randomUUID();
  }

  /** A new key for the mark of a node that loads a full snapshot. */
  static String loading(long timestamp) {
    return format("%s%020d-%s", LOADING, timestamp, UUID.randomUUID());
  }

  /** The timestamp of the full snapshot in the key of a mark; null if it is another key. */
  static @Nullable Long loadingTimestamp(String key) {
    Matcher matcher = LOADING_KEY.matcher(key);
    try {
      return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Whether the key is one of data. A store or its bucket may have objects of other programs. */
  public static boolean isData(String key) {
    return DATA_KEY.matcher(key).matches();
  }

  /** A new key for a part of a full snapshot. */
  static String fullData(long timestamp, String part) {
    return format("%s%020d-%s-%s", DATA, timestamp, part, UUID.randomUUID());
  }
}
