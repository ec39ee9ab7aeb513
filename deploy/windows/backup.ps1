# Makes a verified backup with the service's settings, and keeps the last 14 of them. The scheduled task of install.ps1 runs this script.
# If the backup fails, the script writes an error to the event log: Application, source "TPWebServices backup".
# This script has not been run on Windows; docs/operators/windows.md says what was tested.
param(
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)

$file = "$Data\backups\$(Get-Date -Format 'yyyy-MM-dd-HHmm').db"
# $ErrorActionPreference is not 'Stop', because Windows PowerShell 5.1 would then end the backup at its first line on standard error.
& "$PSScriptRoot\bin\tpws.ps1" backup -Program $Program -Data $Data $file *>> "$Data\backups\backup.log"
$code = $LASTEXITCODE
if ($code -ne 0) {
  & eventcreate.exe /L APPLICATION /T ERROR /SO 'TPWebServices backup' /ID 1 /D "The backup failed; see $Data\backups\backup.log." | Out-Null
  exit $code
}
# By number and not by age, so that a wrong clock deletes no more than one, and never the new one.
Get-ChildItem "$Data\backups" -Filter '????-??-??-????.db' | Where-Object FullName -ne $file | Sort-Object Name -Descending | Select-Object -Skip 13 | Remove-Item
