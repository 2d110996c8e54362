"""Spark writes a Parquet file into a table in one transaction, and queries it: JAR ZOOKEEPER STORE FILE TABLE."""
import sys

from pyspark.sql import SparkSession

jar, zookeeper, store, file, table = sys.argv[1:]
spark = (SparkSession.builder.master("local[2]").config("spark.jars", jar)
         .config("spark.sql.catalog.db", "io.drayage.spark.DrayageCatalog")
         .config("spark.sql.catalog.db.zookeeper", zookeeper)
         .config("spark.sql.catalog.db.store", store).getOrCreate())
spark.read.parquet(file).writeTo("db." + table).create()
spark.sql("SELECT count(*) AS written FROM db." + table).show()
spark.stop()
