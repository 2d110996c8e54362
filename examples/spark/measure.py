"""What writes and changes of TPC-H's lineitem cost, in turns: wall time, and processor seconds of the processes.

measure.py JARS ZOOKEEPER STORE FILE NODE_PID TURNS KIND[,KIND...]

KIND: noop, drayage, parquet=FOLDER, jdbc=URL (a new table each turn); then merge (1 % of the rows of the table that
drayage made in this turn), rewrite (of that table, by a join), iceberg=FOLDER and iceberg-merge (its runtime among
JARS).
The first turn warms up.
"""
import glob
import os
import sys
import time

from pyspark.sql import SparkSession

jars, zookeeper, store, file, node, turns, kinds = sys.argv[1:]
kinds = [kind.partition("=")[::2] for kind in kinds.split(",")]
iceberg = dict(kinds).get("iceberg")
builder = (SparkSession.builder.master("local-cluster[2,2,3072]").config("spark.jars", jars)
           .config("spark.executor.memory", "3g").config("spark.ui.enabled", "false")
           .config("spark.sql.shuffle.partitions", "4")
           # Four tasks that read a file of one row group each.
           .config("spark.sql.files.maxPartitionBytes", "70000000").config("spark.sql.files.openCostInBytes", "0")
           .config("spark.sql.catalog.db", "io.drayage.spark.DrayageCatalog")
           .config("spark.sql.catalog.db.zookeeper", zookeeper).config("spark.sql.catalog.db.store", store))
if iceberg:
    builder = (builder.config("spark.sql.extensions",
                              "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
               .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
               .config("spark.sql.catalog.ice.type", "hadoop").config("spark.sql.catalog.ice.warehouse", iceberg))
spark = builder.getOrCreate()
rows = spark.read.parquet(file)
rows.createOrReplaceTempView("rows")


def executor_pids():
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            command = open(path).read()
        except OSError:
            continue
        if ("java" in command.split("\0")[0] and "CoarseGrainedExecutorBackend" in command
                and spark.sparkContext.applicationId in command):
            found.append(path.split("/")[2])
    return found


def processor_s(pids):
    ticks = 0
    for pid in pids:
        fields = open("/proc/%s/stat" % pid).read().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


rows.count()
executors = executor_pids()
driver = [str(spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid())]

CHANGES = """SELECT l_orderkey + CASE WHEN pmod(xxhash64(l_orderkey, l_linenumber), 1000) = 5 THEN 100000000 ELSE 0 END
    AS l_orderkey, * EXCEPT (l_orderkey, l_quantity, l_comment),
    CAST(l_quantity + 1 + {turn} AS DECIMAL(15,2)) AS l_quantity, concat(l_comment, '!') AS l_comment
  FROM rows WHERE pmod(xxhash64(l_orderkey, l_linenumber), 100) = 5"""
ON = "t.l_orderkey = s.l_orderkey AND t.l_linenumber = s.l_linenumber"


def merge(table):
    spark.sql(f"""MERGE INTO {table} t USING changes s ON {ON}
        WHEN MATCHED THEN UPDATE SET t.l_quantity = s.l_quantity, t.l_comment = s.l_comment
        WHEN NOT MATCHED THEN INSERT *""")


def rewrite(table):
    changed = {"l_quantity", "l_comment"}
    columns = ", ".join(f"coalesce({', '.join(f'{side}.{name}' for side in ('st' if name in changed else 'ts'))})"
                        for name in rows.columns)
    spark.sql(f"INSERT OVERWRITE {table} SELECT {columns} FROM {table} t FULL JOIN changes s ON {ON}")


def iceberg_create():
    spark.sql("CREATE NAMESPACE IF NOT EXISTS ice.db")
    spark.sql("CREATE OR REPLACE TABLE ice.db.lineitem USING iceberg TBLPROPERTIES ('format-version' = '2', "
              "'write.merge.mode' = 'merge-on-read') AS SELECT * FROM rows")


RUNS = {
    "noop": lambda table, _: rows.write.format("noop").mode("overwrite").save(),
    "drayage": lambda table, _: rows.writeTo(table).create(),
    "parquet": lambda table, folder: rows.write.mode("overwrite").parquet(folder),
    "jdbc": lambda table, url: (rows.write.format("jdbc").option("url", url).option("dbtable", "lineitem")
                                .option("batchsize", 10_000).mode("overwrite").save()),
    "merge": lambda table, _: merge(table),
    "rewrite": lambda table, _: rewrite(table),
    "iceberg": lambda table, _: iceberg_create(),
    "iceberg-merge": lambda table, _: merge("ice.db.lineitem"),
}

for turn in range(int(turns)):
    changes = spark.sql(CHANGES.format(turn=turn)).cache()
    changes.createOrReplaceTempView("changes")
    changes.count()
    for kind, value in kinds:
        before = [processor_s(each) for each in (executors, driver, [node])]
        began = time.time()
        RUNS[kind](f"db.lineitem_{os.getpid()}_{turn}", value)
        wall = time.time() - began
        after = [processor_s(each) for each in (executors, driver, [node])]
        print("%d %-14s %6.1f s, processor s: executors %.1f, driver %.1f, node %.1f"
              % (turn, kind, wall, *(b - a for a, b in zip(before, after))), flush=True)
spark.stop()
