package io.drayage.bench.columns;

import java.util.List;
import java.util.Map;

/** The names of the codecs, in their order in lists. */
public final class Codecs {
  static final String BALANCED = "columnar-balanced";
  static final String DENSE = "columnar-dense";
  static final String ZSTD_3 = "zstd:3";

  /** Codecs of the segments pipeline. */
  static final List<String> SEGMENTS =
      List.of("columnar-fast", BALANCED, DENSE, "lz4", "zstd:1", ZSTD_3, "zstd:9");

  /** Parquet with DuckDB's defaults. */
  public static final String PARQUET = "parquet";

  /** Parquet with pages that Zstandard compresses. */
  public static final String PARQUET_ZSTD = "parquet:zstd";

  /** The codecs of each package of Python. */
  static final Map<String, List<String>> PYTHON =
      Map.of("pcodec", List.of("pcodec:4", "pcodec:8"), "vortex", List.of("vortex"));

  /** Codecs that are measured as well, if installed. */
  static final List<String> OTHERS =
      List.of(PARQUET, PARQUET_ZSTD, "pcodec:4", "pcodec:8", "vortex");

  private Codecs() {}

  /** Returns the place of a codec in the order. */
  static int place(String codec) {
    int place = SEGMENTS.indexOf(codec);
    return place >= 0 ? place : SEGMENTS.size() + OTHERS.indexOf(codec);
  }
}
