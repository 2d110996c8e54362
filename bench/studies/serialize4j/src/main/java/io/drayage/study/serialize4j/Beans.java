package io.drayage.study.serialize4j;

import java.io.Serial;
import java.io.Serializable;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The study's classes, with random values. */
@SuppressWarnings("JavaUtilDate") // As published.
public final class Beans {
  /** Text mappers drop milliseconds of dates. */
  private static final int SECOND_MS = 1_000;

  private static final Map<String, Function<Random, Object>> MAKERS = makers();

  private Beans() {}

  private static Map<String, Function<Random, Object>> makers() {
    Map<String, Function<Random, Object>> makers = new LinkedHashMap<>();
    makers.put("SingleBoolean", SingleBoolean::new);
    makers.put("TwoBoolean", TwoBoolean::new);
    makers.put("ThreeBoolean", ThreeBoolean::new);
    makers.put("ThreeField", ThreeField::new);
    makers.put("FiveField", FiveField::new);
    makers.put("TenField", TenField::new);
    makers.put("ImmutableSingleBoolean", ImmutableSingleBoolean::new);
    makers.put("RecordSingleBoolean", random -> new RecordSingleBoolean(random.nextBoolean()));
    makers.put(
        "RecordThreeField",
        random -> new RecordThreeField(random.nextBoolean(), random.nextInt(), text(random)));
    return makers;
  }

  static List<String> names() {
    return List.copyOf(MAKERS.keySet());
  }

  /** Makes objects of the class with this name. */
  static List<Object> make(String name, int count, long seed) {
    Random random = new Random(seed);
    Function<Random, Object> maker = Objects.requireNonNull(MAKERS.get(name), name);
    return IntStream.range(0, count).mapToObj(i -> maker.apply(random)).toList();
  }

  private static String text(Random random) {
    return "text " + random.nextInt(1_000_000);
  }

  public static class SingleBoolean implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;

    public SingleBoolean() {}

    SingleBoolean(Random random) {
      first = random.nextBoolean();
    }
  }

  public static class TwoBoolean implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;
    public boolean second;

    public TwoBoolean() {}

    TwoBoolean(Random random) {
      first = random.nextBoolean();
      second = random.nextBoolean();
    }
  }

  public static class ThreeBoolean implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;
    public boolean second;
    public boolean third;

    public ThreeBoolean() {}

    ThreeBoolean(Random random) {
      first = random.nextBoolean();
      second = random.nextBoolean();
      third = random.nextBoolean();
    }
  }

  /** A class of three fields of different types. */
  public static class ThreeField implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;
    public int second;
    public String third = "";

    public ThreeField() {}

    ThreeField(Random random) {
      first = random.nextBoolean();
      second = random.nextInt();
      third = text(random);
    }
  }

  /** A class of five fields of different types. */
  public static class FiveField implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;
    public int second;
    public String third = "";
    public double fourth;
    public Date fifth = new Date(0);

    public FiveField() {}

    FiveField(Random random) {
      first = random.nextBoolean();
      second = random.nextInt();
      third = text(random);
      fourth = random.nextDouble();
      fifth = new Date((long) random.nextInt(2_000_000_000) * SECOND_MS);
    }
  }

  /** A class of ten fields of different types. */
  public static class TenField implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public boolean first;
    public int second;
    public String third = "";
    public double fourth;
    public Date fifth = new Date(0);
    public byte sixth;
    public short seventh;
    public long eighth;
    public char ninth;
    public float tenth;

    public TenField() {}

    TenField(Random random) {
      first = random.nextBoolean();
      second = random.nextInt();
      third = text(random);
      fourth = random.nextDouble();
      fifth = new Date((long) random.nextInt(2_000_000_000) * SECOND_MS);
      sixth = (byte) random.nextInt();
      seventh = (short) random.nextInt();
      eighth = random.nextLong();
      ninth = (char) ('a' + random.nextInt(26));
      tenth = random.nextFloat();
    }
  }

  /** A class of one boolean that does not change. */
  public static final class ImmutableSingleBoolean implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    public final boolean first;

    ImmutableSingleBoolean(Random random) {
      first = random.nextBoolean();
    }
  }

  public record RecordSingleBoolean(boolean first) implements Serializable {}

  public record RecordThreeField(boolean first, int second, String third) implements Serializable {}
}
