import org.apache.spark.sql.SparkSession;

/**
 * Spark writes a Parquet file into a table in one transaction, and queries it: {@code ZOOKEEPER
 * STORE FILE TABLE}.
 */
public final class WriteAndRead {
  private WriteAndRead() {}

  public static void main(String... args) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.sql.catalog.db", "io.drayage.spark.DrayageCatalog")
            .config("spark.sql.catalog.db.zookeeper", args[0])
            .config("spark.sql.catalog.db.store", args[1])
            .getOrCreate()) {
      spark.read().parquet(args[2]).writeTo("db." + args[3]).create();
      spark.sql("SELECT count(*) AS written FROM db." + args[3]).show();
    }
  }
}
